import { expect, test } from 'vitest'
import { openFiles, sealFiles } from './seal.ts'

test('what is sealed is opened by its passphrase alone, however that is composed', async () => {
  const files = { 'keys.json': Buffer.from('{"pepper":"x"}'), 'settings/clew.toml': Buffer.from([0, 255, 1]) }
  const sealed = await sealFiles(files, 'größer als zwölf')
  expect(JSON.stringify(sealed)).not.toContain('pepper')
  expect(await openFiles(sealed, 'gro\u0308ßer als zwo\u0308lf')).toEqual(files)
  await expect(openFiles(sealed, 'größer als zwölf ')).rejects.toMatchObject({ code: 'CLEW_BACKUP_PASSPHRASE' })
  // The last character may have bits that count for nothing.
  const other = sealed.sealed[40] === 'A' ? 'B' : 'A'
  const changed = { ...sealed, sealed: `${sealed.sealed.slice(0, 40)}${other}${sealed.sealed.slice(41)}` }
  await expect(openFiles(changed, 'größer als zwölf')).rejects.toMatchObject({ code: 'CLEW_BACKUP_PASSPHRASE' })
})
