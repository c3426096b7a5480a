/** A histogram of request durations by service, method and class of status. */
export interface Durations {
  observe(service: string, method: string, status: number, durationMs: number): void
  /** Prometheus' text format. */
  text(): string
}

const name = 'clew_request_duration_seconds'
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

interface Observed {
  readonly labels: string
  /** Requests in each bucket: up to a bound and above the one before, and last those above all bounds. */
  readonly counts: number[]
  sum: number
}

/**
 * The histogram is our own, since `prom-client` sorts and joins the labels' texts at each observation, which costs more than
 * a request's routing.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-example
 */
export function createDurations(): Durations {
  // By service, method and class of status: a key of all three would be a text to join and to hash for each request.
  const byService = new Map<string, Map<string, Observed[]>>()
  const all: Observed[] = []

  const observedAs = (service: string, method: string, status: number): Observed => {
    const statusClass = Math.floor(status / 100)
    const known = byService.get(service)?.get(method)?.[statusClass]
    if (known !== undefined) return known
    const labels = `service="${service}",method="${method}",status="${statusClass}xx"`
    const made: Observed = { labels, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }
    const byMethod = byService.get(service) ?? new Map<string, Observed[]>()
    const byClass = byMethod.get(method) ?? []
    byClass[statusClass] = made
    byService.set(service, byMethod.set(method, byClass))
    all.push(made)
    return made
  }

  const lines = ({ labels, counts, sum }: Observed): readonly string[] => {
    let total = 0
    const buckets = counts.map((count, index) => {
      total += count
      return `${name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${total}`
    })
    return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`]
  }

  return {
    observe(service, method, status, durationMs) {
      const observed = observedAs(service, method, status)
      const seconds = durationMs / 1000
      const found = bounds.findIndex((bound) => seconds <= bound)
      const at = found === -1 ? bounds.length : found
      observed.counts[at] = (observed.counts[at] ?? 0) + 1
      observed.sum += seconds
    },
    text: () =>
      [
        `# HELP ${name} Time from a request’s arrival to the end of its answer`,
        `# TYPE ${name} histogram`,
        ...all.flatMap(lines),
        '',
      ].join('\n'),
  }
}
