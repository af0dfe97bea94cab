/** Line drawings on a grid of 24; the words beside them carry the meaning. */
const PATHS = {
  run: "M7 4.5v15l12-7.5z",
  cells: "M4.5 4.5h15v6h-15zM4.5 13.5h15v6h-15zM7 7.5h5M7 16.5h5",
  stop: "M6.5 6.5h11v11h-11z",
  files:
    "M4 6.5A1.5 1.5 0 0 1 5.5 5H10l2 2.5h6.5A1.5 1.5 0 0 1 20 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5z",
  file: "M6.5 3.5h7l4 4v13h-11zM13.5 3.5v4h4",
  history: "M4.5 12a7.5 7.5 0 1 0 2.6-5.7L4.5 8.5M4.5 4.5v4h4M12 8v4.5l3 2",
  connect: "M9 15l6-6M10.5 6.5l1.6-1.6a4 4 0 0 1 5.7 5.7L16 12.4M13.5 17.5l-1.6 1.6a4 4 0 0 1-5.7-5.7L8 11.6",
  operate: "M4 18.5V13M9.3 18.5V5.5M14.7 18.5V9.5M20 18.5V12",
  copy: "M9 9h10.5v10.5H9zM5 15H4.5V4.5H15V5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  down: "M12 4.5v11M7 11l5 5 5-5M5 19.5h14",
  up: "M12 19.5v-11M7 13l5-5 5 5M5 4.5h14",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.3 10.5v6M13.7 10.5v6",
  archive: "M4.5 5h15v4h-15zM5.5 9v10.5h13V9M10 12.5h4",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  leave: "M14 4.5H5.5v15H14M10 12h10M16.5 8.5 20 12l-3.5 3.5",
  plus: "M12 5v14M5 12h14",
  search: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  question: "M9 9a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.3-1.6 2.5M12 18h.01",
  minus: "M6 12h12",
  barred: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM6.5 6.5l11 11",
  next: "M9.5 6l6 6-6 6",
  tools: "M14.5 5.5a4 4 0 0 0-5 5L4.5 15.5v4h4l5-5a4 4 0 0 0 5-5l-2.8 2.8-3-.9-.9-3z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
