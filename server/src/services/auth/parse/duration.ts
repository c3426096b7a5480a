const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
// What a 64-bit count of nanoseconds holds: some 292 years.
const maxMs = 9_223_372_036_854

/**
 * Reads a duration as Go writes it: `24h`, `1h30m`, `1.5h`, `0`.
 *
 * @returns milliseconds; undefined when it is none
 * @see     https://pkg.go.dev/time#ParseDuration
 */
export function parseDuration(raw: string): number | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/u.exec(raw)
  if (match === null) return undefined
  const parts = [...(match[2] ?? '').matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gu)]
  const ms = parts.reduce((sum, [, count = '0', unit = 's']) => sum + Number(count) * (unitMs[unit] ?? 0), 0)
  if (ms > maxMs) return undefined
  return match[1] === '-' ? -ms : ms
}
