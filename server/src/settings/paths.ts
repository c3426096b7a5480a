import { basename, resolve } from 'node:path'
import type { InstanceSettings, Section } from './declared.ts'

/** Settings of the process that name a file or a folder. */
export type PathSetting = 'data' | 'public' | 'sample' | 'logFile' | 'tlsCert' | 'tlsKey'

/** The folder that settings are read from, and whether it holds a project. */
interface ProjectFolder {
  readonly folder: string
  readonly isProject: boolean
}

/**
 * Resolves the relative paths of the process's settings.
 *
 * @param baseOf the folder that a setting's path is relative to
 */
export function resolvePaths(
  values: InstanceSettings,
  { folder, isProject }: ProjectFolder,
  baseOf: (name: PathSetting) => string,
): InstanceSettings {
  const resolved = (name: Exclude<PathSetting, 'data'>): string | null => {
    const path = values[name]
    return path === null ? null : resolve(baseOf(name), path)
  }
  return {
    ...values,
    project: isProject ? folder : null,
    data: resolve(baseOf('data'), values.data),
    public: resolved('public'),
    sample: resolved('sample'),
    logFile: resolved('logFile'),
    tlsCert: resolved('tlsCert'),
    tlsKey: resolved('tlsKey'),
    name: values.name ?? basename(folder),
  }
}

/** Settings of sections that name a file or a folder. */
const sectionPaths: Readonly<Partial<Record<Section, string>>> = {
  auth: 'signingKeysPath',
  analytics: 'geoDatabase',
  backup: 'folder',
}

/** Resolves a section's path against the project folder, from whichever source it comes. */
export function resolveSectionPaths(
  section: Section,
  values: Readonly<Record<string, unknown>>,
  folder: string,
): Readonly<Record<string, unknown>> {
  const name = sectionPaths[section] ?? ''
  const path = values[name]
  return typeof path === 'string' ? { ...values, [name]: resolve(folder, path) } : values
}
