const unitSeconds: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }

/** Whole seconds, rounded up, of a duration as Go writes it (`1m30s`, `24h`); undefined where it is none. */
export function durationSeconds(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return text === '0' ? 0 : undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  return Math.ceil(parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0))
}

/** The bytes of a size, whose units are binary: `50MiB`, `5MB`, `500KB` (project-folder §2); undefined where it is none. */
export function sizeBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text.trim()) ?? []
  if (count === undefined) return undefined
  return Math.floor(Number(count) * 1024 ** ['', 'k', 'm', 'g', 't'].indexOf(unit.toLowerCase()))
}

/** The texts that a value holds, those of its arrays and tables included, replaced one by one. */
export function replaceTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, replace))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, replace)]))
}
