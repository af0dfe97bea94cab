import type { ComponentChildren } from "preact";
import { label, type Tone } from "../text/words";

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function StatusBadge({ status }: { status: string }) {
  const { tone, word } = label(status);
  return <Badge tone={tone}>{word}</Badge>;
}

export function Notice({
  tone,
  children,
}: {
  tone: "bad" | "warn" | "good" | "info";
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : <Notice tone="bad">{text}</Notice>;
}

/** What the server says to do about the end of a run. */
export function Advice({ text }: { text: string | null | undefined }) {
  return text ? <Notice tone="info">{text}</Notice> : null;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Card({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{title}</h2>
        <div class="card-aside">{aside}</div>
      </header>
      {children}
    </section>
  );
}

interface MeterProps {
  name: string;
  used: number;
  max: number | undefined;
  text: string;
  /** Whether being nearly full is nothing to worry about. */
  calm?: boolean;
}

/** How much of something is used. */
export function Meter({ name, used, max, text, calm = false }: MeterProps) {
  const share = max === undefined || max <= 0 ? 0 : Math.min(1, used / max);
  const tone = calm || share <= 0.7 ? "good" : share > 0.9 ? "bad" : "warn";
  return (
    <div class="meter">
      <div class="meter-words">
        <span>{name}</span>
        <span>{text}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw their own meter, in colours of their own. */}
      <div
        class="meter-track"
        role="meter"
        aria-label={name}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
      >
        <div class={`meter-fill ${tone}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
