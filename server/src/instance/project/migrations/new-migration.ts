import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { migrationsFolder } from './local-migrations.ts'

/** The version of a migration that is written now: `YYYYMMDDhhmmss` in UTC. */
export const versionAt = (now: Date): string => now.toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** `count` versions one after another, a second apart. */
export function versionsFrom(version: string, count: number): readonly string[] {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(version) ?? []
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return Array.from({ length: count }, (_, index) => versionAt(new Date(at + index * 1_000)))
}

/** A version as a person reads it, `2024-01-31 12:00:00`; itself where it is no time. */
export const shownVersion = (version: string): string =>
  /^\d{14}$/.test(version) ? version.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6') : version

/** A name as a part of a file name. */
const fileNameOf = (name: string): string => name.trim().replaceAll(/[\s/\\:*?"<>|]+/g, '_')

/**
 * Writes a migration's file.
 *
 * @returns its path from the project folder
 */
export async function writeMigration(folder: string, version: string, name: string, text: string): Promise<string> {
  const path = join(migrationsFolder(folder), `${version}_${fileNameOf(name)}.sql`)
  await mkdir(migrationsFolder(folder), { recursive: true })
  await writeFile(path, text, { flag: 'wx' })
  return relative(folder, path)
}
