import type { Debugged } from '../worker/worker.ts'

/** Where a debugger's WebSocket goes. */
export interface DebuggerPlace {
  readonly id: string
  readonly path: string
}

/**
 * A target of Deno's list, as the shared port lists it (https://chromedevtools.github.io/devtools-protocol/#endpoints): its
 * address names the process. The random id of Deno's path stays in it, which no page of a browser can guess.
 *
 * @param host of the shared port, as the client named it
 */
export function renderTarget(target: unknown, { id, name, port }: Debugged, host: string): object {
  const rewritten = JSON.stringify(target).replaceAll(`127.0.0.1:${port}/`, `${host}/${id}/`)
  // It was an object, and is one.
  return { ...(JSON.parse(rewritten) as object), title: `function ${name}` }
}

/** The process, and the path in it, that an address of the shared port names; null for other addresses. */
export function parsePlace(url: string): DebuggerPlace | null {
  const [, id, path] = /^\/([0-9a-f-]{36})(\/(?:ws\/)?[0-9a-f-]{36})$/.exec(url) ?? []
  return id === undefined || path === undefined ? null : { id, path }
}

/** Whether a `Host` header names this machine by an address or as localhost: other names may be a page's (DNS rebinding). */
export const isOwnHost = (host: string | undefined): boolean =>
  host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host)
