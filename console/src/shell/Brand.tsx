export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect x="2" y="2" width="28" height="28" rx="8" class="brand-box" />
        <path d="M9 11.5 16 8l7 3.5v9L16 24l-7-3.5z" />
        <path d="M9 11.5 16 15l7-3.5M16 15v9" opacity="0.7" />
      </svg>
      <span>Caisson</span>
    </span>
  );
}
