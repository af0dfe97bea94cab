import { ApiError, Unreachable } from "../api/errors";
import type { Server } from "../api/server";
import type { SignedLink } from "../api/types";

/**
 * The link as seen from this page. A link names the server by its public address, which need not be the
 * one this page came from; the signature covers the path alone.
 */
export function here(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}

/** The beginning of a file, and whether that is all of it. */
export async function readHead(server: Server, thread: string, path: string, bytesMax: number) {
  const response = await open(await server.downloadLink(thread, path));
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let whole = reader === undefined;
  while (reader !== undefined && !whole && length < bytesMax) {
    const { done, value } = await reader.read();
    whole = done;
    if (value !== undefined) {
      pieces.push(value);
      length += value.length;
    }
  }
  await reader?.cancel();
  return { blob: new Blob(pieces as BlobPart[]), whole };
}

async function open(link: SignedLink): Promise<Response> {
  const headers = Object.fromEntries(link.headers.map(({ name, value }) => [name, value]));
  const response = await fetch(here(link.url), { headers, cache: "no-store", credentials: "omit" });
  if (!response.ok) {
    throw new ApiError(response.status, "download", `The file could not be read (${response.status}).`);
  }
  return response;
}

/** Hands a file to the person; the browser fetches and keeps it by itself. */
export async function save(server: Server, thread: string, path: string): Promise<void> {
  const signed = await server.downloadLink(thread, path);
  const link = document.createElement("a");
  link.href = here(signed.url);
  link.download = path.split("/").at(-1) ?? "file";
  link.click();
}

/** Sends a file and tells how far it is, from 0 to 1. Only this old door of browsers can tell. */
export async function upload(
  server: Server,
  thread: string,
  path: string,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<void> {
  const link = await server.uploadLink(thread, path);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(link.method, here(link.url));
    for (const { name, value } of link.headers) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : reject(refusal(request)));
    request.onerror = () => reject(new Unreachable());
    request.send(file);
  });
}

function refusal(request: XMLHttpRequest): ApiError {
  let message = `The upload was refused (${request.status}).`;
  try {
    message = String((JSON.parse(request.responseText) as { message?: unknown }).message ?? message);
  } catch {
    // Not JSON: the status says it all.
  }
  return new ApiError(request.status, "upload", message);
}
