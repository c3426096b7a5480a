import type { ConfiguredSecret } from '../../services/secrets/index.ts'
import { nameOfSetting, secretSettings } from '../../settings/index.ts'
import type { ComposeInput } from '../instance.ts'

/** The secrets that settings have, with where each was said. */
export const configuredSecrets = (places: ComposeInput['places']): readonly ConfiguredSecret[] =>
  secretSettings.flatMap((setting) => {
    const from = places[setting.section]?.[setting.setting]
    return from === undefined ? [] : [{ name: nameOfSetting(setting), source: sourceOf(from), from }]
  })

function sourceOf(from: string): ConfiguredSecret['source'] {
  if (from.startsWith('--')) return 'command line'
  if (/^(CLEW|PGRST)_[A-Z0-9_]+$/.test(from)) return from.endsWith('_FILE') ? 'file' : 'environment'
  return 'project folder'
}
