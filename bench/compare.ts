import { type LoadRequest, type LoadResult, load } from './load.ts'

const connections = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const rounds = 3

export interface Line {
  readonly metric: string
  readonly clew: string
  readonly floor: string
  readonly ratio: string
}

export const lines: Line[] = []
export const add = (metric: string, clew: string, floor = '', ratio = ''): void => {
  lines.push({ metric, clew, floor, ratio })
  process.stderr.write(`${metric}: ${clew}${floor === '' ? '' : ` against ${floor}, ${ratio}`}\n`)
}
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Measures both in turn, so that a slow minute of the machine hurts both.
 *
 * @param settle resolves when nothing of the turn before is left to be done
 * @returns how many requests a second Clew answered
 */
export async function compare(
  metric: string,
  ports: { readonly clew: number; readonly floor: number },
  requests: { readonly clew: (n: number) => LoadRequest; readonly floor: (n: number) => LoadRequest },
  perRequest = 1,
  settle: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const results: { clew: LoadResult[]; floor: LoadResult[] } = { clew: [], floor: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of ['floor', 'clew'] as const) {
      await settle()
      const result = await load({
        host: '127.0.0.1',
        port: ports[side],
        connections,
        seconds: round === 0 ? 2 : seconds,
        request: requests[side],
      })
      if (result.errors > 0)
        throw new Error(`${metric}, ${side}: ${result.errors} errors, the first: ${result.firstError}`)
      // The first round warms both up.
      if (round > 0) results[side].push(result)
    }
  }
  const rate = (side: 'clew' | 'floor'): number => median(results[side].map((r) => r.requestsPerSecond)) * perRequest
  const shown = (side: 'clew' | 'floor'): string =>
    `${Math.round(rate(side)).toLocaleString('en')}/s, p50 ${median(results[side].map((r) => r.p50Ms)).toFixed(2)} ms, p99 ${median(results[side].map((r) => r.p99Ms)).toFixed(2)} ms`
  add(metric, shown('clew'), shown('floor'), (rate('clew') / rate('floor')).toFixed(2))
  return rate('clew') / perRequest
}

/** What requests take that come evenly, so many a second. */
export async function atRate(port: number, rate: number, request: (n: number) => LoadRequest): Promise<string> {
  const options = { host: '127.0.0.1', port, connections, seconds, rate, request }
  const { p50Ms, p99Ms, errors, firstError } = await load(options)
  if (errors > 0) throw new Error(`${errors} errors at ${rate} requests a second, the first: ${firstError}`)
  return `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`
}
