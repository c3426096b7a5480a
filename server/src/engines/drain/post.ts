import { type DrainOptions, LinesRefused } from './drain.ts'

/** Where lines are posted to, and in which form. */
export interface PostOptions {
  /** Asked for with each post, as the headers: they may hold a secret that is renewed. */
  readonly url: () => string
  readonly headers: () => Readonly<Record<string, string>>
  readonly contentType: string
  /** The body of some lines. */
  readonly render: (lines: readonly string[]) => string
  readonly timeoutMs: number
}

/** Statuses of a server that may take the lines later; every other 4xx is about the lines. */
const later: ReadonlySet<number> = new Set([401, 403, 404, 408, 429])

/** Posts lines to an address. A redirect is not followed: it could carry the headers elsewhere. */
export const postLines =
  ({ url, headers, contentType, render, timeoutMs }: PostOptions): DrainOptions['send'] =>
  async (lines, signal) => {
    const address = url()
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': contentType, ...headers() },
      body: render(lines),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await answer.body?.cancel()
    if (answer.ok) return
    const message = `${new URL(address).host} answered ${answer.status}.`
    if (answer.status >= 500 || later.has(answer.status)) throw new Error(message)
    throw new LinesRefused(message)
  }
