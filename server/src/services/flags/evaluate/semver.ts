/** Major, minor, patch. */
export type Version = readonly [major: number, minor: number, patch: number]

/** Versions from the first, which belongs to it, to the second, which does not. */
type Range = readonly [from: Version, to: Version]

/** A number of a version: no leading zeros. */
const part = /^(0|[1-9]\d*)$/

const withoutPrefix = (value: unknown): string => String(value).trim().replace(/^v/i, '')

/** Reads a version; what stands behind `-` or `+` is ignored, missing parts are 0. Null for anything else. */
export function readVersion(value: unknown): Version | null {
  const base = withoutPrefix(value).split(/[-+]/)[0] ?? ''
  if (base === '' || base.startsWith('.')) return null
  const [major = '', minor = '', patch = ''] = base.split('.')
  const parts = [major, minor, patch].map((text) => (text === '' ? '0' : text))
  return parts.every((text) => part.test(text)) ? (parts.map(Number) as unknown as Version) : null
}

/** Negative where the first is older. */
export const compareVersions = (one: Version, other: Version): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2]

/** `~1.2.3`: patches of one minor version. */
export function readTilde(value: unknown): Range | null {
  const from = readVersion(value)
  return from && [from, [from[0], from[1] + 1, 0]]
}

/** `^1.2.3`: what keeps the first part that is not 0. */
export function readCaret(value: unknown): Range | null {
  const from = readVersion(value)
  if (from === null) return null
  const [major, minor, patch] = from
  if (major > 0) return [from, [major + 1, 0, 0]]
  return minor > 0 ? [from, [0, minor + 1, 0]] : [from, [0, 0, patch + 1]]
}

/** `1.*`, `1.2.*`. */
export function readWildcard(value: unknown): Range | null {
  const [major = '', minor] = withoutPrefix(value).replace(/\.\*$/, '').replace(/\*$/, '').split('.')
  if (!part.test(major) || (minor !== undefined && !part.test(minor))) return null
  const first = Number(major)
  if (minor === undefined)
    return [
      [first, 0, 0],
      [first + 1, 0, 0],
    ]
  return [
    [first, Number(minor), 0],
    [first, Number(minor) + 1, 0],
  ]
}

/** Whether a version lies in a range. */
export const isWithin = (version: Version, [from, to]: Range): boolean =>
  compareVersions(version, from) >= 0 && compareVersions(version, to) < 0
