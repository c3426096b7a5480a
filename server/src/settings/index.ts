export type { DeclaredBucket } from './buckets.ts'
export { isLoopback } from './checks.ts'
export {
  type InstanceSettings,
  type Section,
  type Settings,
  sectionNames,
  sections,
} from './declared.ts'
export { instanceSettings } from './instance.ts'
export {
  changedSettings,
  createLiveSettings,
  type LiveSettings,
  nameOfSetting,
  type SettingPlace,
  secretSettings,
  settingAt,
} from './live.ts'
export { type ReadSettings, readAllSettings, type SettingsInput } from './read.ts'
export { openSectionFile, type SectionFile } from './settings-file.ts'
export { tomlNames } from './toml.ts'
