import type { SettingProblem } from '../ground/settings/read.ts'

/** Settings whose spelling has changed: the section, the former name and the present one, as `clew.toml` has them. */
const renamed: readonly (readonly [section: string, former: string, present: string])[] = [
  ['rest', 'body_limit_bytes', 'max_body_bytes'],
  ['auth', 'external_answer_limit_bytes', 'max_external_answer_bytes'],
  ['auth', 'saml_metadata_max_bytes', 'max_saml_metadata_bytes'],
  ['auth', 'hook_max_answer_bytes', 'max_hook_answer_bytes'],
  ['analytics', 'max_batch_bytes', 'max_body_bytes'],
  ['analytics', 'max_recording_bytes', 'max_recording_body_bytes'],
]

/** The present name of a setting that had another; undefined where it has none. */
export const presentName = (section: string, former: string): string | undefined =>
  renamed.find(([itsSection, itsFormer]) => itsSection === section && itsFormer === former)?.[2]

/** Environment variables of former names: ignoring them would silently lift or lower a limit. */
export const formerVariables = (environment: Readonly<Record<string, string | undefined>>): readonly SettingProblem[] =>
  renamed.flatMap(([section, former, present]) => {
    const name = variable(section, former)
    const seen = environment[name]
    return seen === undefined
      ? []
      : [{ name, seen, source: name, allowed: `${variable(section, present)}, its new name` }]
  })

const variable = (section: string, name: string): string => `CLEW_${section}_${name}`.toUpperCase()
