import type { ReadSettings } from '../../settings/index.ts'

/** What a start says of `supabase/config.toml`: values that are missing, and in one line what has no effect. */
export function configNotes({ missing, unused }: ReadSettings['config']): readonly string[] {
  const expected = unused.filter(({ why }) => why === null).map(({ key }) => key.split('.').slice(0, 2).join('.'))
  const names = [...new Set(expected)]
  return [
    ...missing.map((line) => `supabase/config.toml: ${line}`),
    ...(names.length === 0
      ? []
      : [`supabase/config.toml: Clew does not act on ${names.join(', ')} (\`clew config\` says more).`]),
  ]
}
