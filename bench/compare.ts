import { type LoadRequest, type LoadResult, load } from './load.ts'

const connections = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
/** A floor varies by half within a day, and within minutes: the median of five turns does less. */
const rounds = 5

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

/** Who answers, and what is asked. */
interface Side {
  readonly port: number
  readonly request: (n: number) => LoadRequest
}

/** Measures Clew beside one floor: see `compareWithFloors`. */
export const compare = (
  metric: string,
  ports: { readonly clew: number; readonly floor: number },
  requests: { readonly clew: (n: number) => LoadRequest; readonly floor: (n: number) => LoadRequest },
  perRequest = 1,
  settle: () => Promise<unknown> = async () => undefined,
): Promise<number> =>
  compareWithFloors(
    { port: ports.clew, request: requests.clew },
    { [metric]: { port: ports.floor, request: requests.floor } },
    perRequest,
    settle,
  )

/**
 * Measures all in turn, so that a slow minute of the machine hurts all.
 *
 * @param floors by the name of the metric that each makes with Clew
 * @param settle resolves when nothing of the turn before is left to be done
 * @returns how many requests a second Clew answered
 */
export async function compareWithFloors(
  clew: Side,
  floors: Readonly<Record<string, Side>>,
  perRequest: number,
  settle: () => Promise<unknown>,
): Promise<number> {
  const sides = [...Object.entries(floors), ['clew', clew] as const].map(([name, side]) => ({
    ...{ name, side },
    results: [] as LoadResult[],
  }))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, side, results } of sides) {
      await settle()
      const { port, request } = side
      const options = { host: '127.0.0.1', port, connections, seconds: round === 0 ? 2 : seconds, request }
      const result = await load(options)
      if (result.errors > 0) throw new Error(`${name}: ${result.errors} errors, the first: ${result.firstError}`)
      // The first round warms all up.
      if (round > 0) results.push(result)
    }
  }
  const shown = (results: readonly LoadResult[]): string =>
    `${Math.round(rateOf(results) * perRequest).toLocaleString('en')}/s, p50 ${median(results.map((r) => r.p50Ms)).toFixed(2)} ms, p99 ${median(results.map((r) => r.p99Ms)).toFixed(2)} ms`
  const own = sides.at(-1)?.results ?? []
  for (const { name, results } of sides.slice(0, -1))
    add(name, shown(own), shown(results), (rateOf(own) / rateOf(results)).toFixed(2))
  return rateOf(own)
}

const rateOf = (results: readonly LoadResult[]): number => median(results.map((r) => r.requestsPerSecond))

/** What requests take that come evenly, so many a second; of as many turns as above. */
export async function atRate(port: number, rate: number, request: (n: number) => LoadRequest): Promise<string> {
  const results: LoadResult[] = []
  for (let round = 0; round < rounds; round += 1) {
    const result = await load({ host: '127.0.0.1', port, connections, seconds, rate, request })
    if (result.errors > 0)
      throw new Error(`${result.errors} errors at ${rate} requests a second, the first: ${result.firstError}`)
    results.push(result)
  }
  const p99s = results.map(({ p99Ms }) => p99Ms)
  const range = [Math.min(...p99s), Math.max(...p99s)].map((ms) => ms.toFixed(0)).join(' to ')
  return `p50 ${median(results.map(({ p50Ms }) => p50Ms)).toFixed(2)} ms, p99 ${median(p99s).toFixed(2)} ms (${range})`
}
