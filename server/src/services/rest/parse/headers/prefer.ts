/** What the `Prefer` headers ask for (RFC 7240, rest §6); null where nothing was said. */
export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  readonly missing: 'default' | 'null' | null
  readonly return: 'representation' | 'minimal' | 'headers-only' | null
  readonly count: 'exact' | 'planned' | 'estimated' | null
  readonly tx: 'commit' | 'rollback' | null
  readonly handling: 'strict' | 'lenient' | null
  readonly timezone: string | null
  readonly maxAffected: number | null
  /** Unknown preferences, for `handling=strict`. */
  readonly unknown: readonly string[]
}

const known = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const

/** Reads the `Prefer` headers: the first value of each kind wins. */
export function parsePreferences(header: string | undefined, mayChooseEnd: boolean): Preferences {
  const preferences = header === undefined ? [] : header.split(',').map((part) => part.trim())
  const pick = <Kind extends keyof typeof known>(kind: Kind): (typeof known)[Kind][number] | null => {
    for (const preference of preferences) {
      const value = known[kind].find((word) => preference === `${kind}=${word}`)
      if (value !== undefined) return value
    }
    return null
  }
  const free = (kind: string): string | null =>
    preferences.find((preference) => preference.startsWith(`${kind}=`))?.slice(kind.length + 1) ?? null
  const words = Object.entries(known).flatMap(([kind, values]) => values.map((value) => `${kind}=${value}`))
  const maxAffected = free('max-affected')
  return {
    resolution: pick('resolution'),
    missing: pick('missing'),
    return: pick('return'),
    count: pick('count'),
    tx: mayChooseEnd ? pick('tx') : null,
    handling: pick('handling'),
    timezone: free('timezone'),
    maxAffected: maxAffected !== null && /^\d+$/.test(maxAffected) ? Number(maxAffected) : null,
    unknown: preferences.filter(
      (preference) => !words.includes(preference) && !/^(timezone|max-affected)=/.test(preference),
    ),
  }
}

/** Which preferences an answer may name as applied. */
export type Applied = { readonly [Kind in Exclude<keyof Preferences, 'unknown'>]?: boolean }

/** `Preference-Applied`, in the contract's order; null when nothing was applied. */
export function preferenceApplied(preferences: Preferences, applied: Applied): string | null {
  const strict = preferences.handling === 'strict'
  const texts: string[] = []
  const add = (kind: string, value: string | number | null, is: boolean | undefined): void => {
    if (value !== null && is === true) texts.push(`${kind}=${value}`)
  }
  add('resolution', preferences.resolution, applied.resolution)
  add('missing', preferences.missing, applied.missing)
  add('return', preferences.return, applied.return)
  add('count', preferences.count, applied.count)
  add('tx', preferences.tx, applied.tx)
  add('handling', preferences.handling, applied.handling)
  add('timezone', preferences.timezone, applied.timezone)
  add('max-affected', strict ? preferences.maxAffected : null, applied.maxAffected)
  return texts.length === 0 ? null : texts.join(', ')
}
