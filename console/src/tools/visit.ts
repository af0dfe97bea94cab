/** The address of a page that a stranger named, if it is one of the web. */
export function visitable(text: string): string {
  const address = new URL(text);
  if (address.protocol !== "https:" && address.protocol !== "http:") {
    throw new Error(`This is no address of the web: ${address.protocol}`);
  }
  return address.href;
}
