import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./Icon";

interface ButtonProps extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, "icon" | "label"> {
  icon?: IconName;
  kind?: "primary" | "plain" | "danger" | "quiet";
  /** What a button without words is called. */
  label?: string;
  disabled?: boolean;
  type?: "button" | "submit";
  children?: ComponentChildren;
}

export function Button({ icon, kind = "plain", label, children, type = "button", ...rest }: ButtonProps) {
  return (
    <button type={type} class={`button ${kind}`} aria-label={label} title={label} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
