import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAllSettings } from '../../server/src/settings/index.ts'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { command, newDataDir, type Product, startProduct, until } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'
import { shell } from './docker.ts'
import { blocksOf, textOf } from './page.ts'

const passphrase = 'at least twelve characters'

// Each test goes on from where the one before it was on the page.
describe('a newcomer follows "Backup and restore"', () => {
  let folder: string
  let project: string
  let product: Product
  let api: ConsoleApi
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-backup-page-'))
    project = join(folder, 'srv/clew')
    await mkdir(join(project, 'supabase'), { recursive: true })
    const [settings = ''] = await blocksOf('backup.md', 'Backup and restore', 'toml')
    await writeFile(join(project, 'clew.toml'), onMachine(settings))
    product = await startProduct({
      ...{ project, dataDir: await newDataDir(join(folder, 'var/lib/clew')) },
      env: { CLEW_BACKUP_PASSPHRASE: passphrase, CLEW_BACKUP_WAL_SECONDS: '1' },
    })
    api = await claimOwner(product)
    await inDatabase(product, (client) => client.query('create table public.notes (text text primary key)'))
  }, 180_000)
  afterAll(async () => {
    await product?.stop()
    // What keeps the log ends a moment after the server.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  /** A block with the page's places below a folder of the test. */
  const onMachine = (block: string): string => block.replaceAll(/(?<=[ "])\/(?=(?:mnt|var|srv)\/)/g, `${folder}/`)
  /** Runs a block in the project, as its `npx clew` is the one that was built; a line of it that fails ends it. */
  const follow = (block: string, env: NodeJS.ProcessEnv = {}) => {
    const ran = shell(`npx() { shift; '${command}' "$@"; }\n${onMachine(block)}`, project, env)
    expect(ran.code, ran.output).toBe(0)
    return ran.output
  }
  const isIdle = async () => {
    const { running, backups } = await api.get<{ running: string | null; backups: readonly object[] }>('/backups')
    return running === null && backups.length > 0
  }
  const write = (text: string) =>
    inDatabase(product, (client) => client.query('insert into public.notes values ($1)', [text]))
  /** What a start of a restored directory has. */
  const notesIn = async (name: string, args: readonly string[] = []): Promise<readonly string[]> => {
    const copy = await startProduct({ dataDir: join(folder, 'var/lib', name), args, env: { CLEW_BACKUP_WAL: 'false' } })
    try {
      return await inDatabase(copy, async (client) => {
        const { rows } = await client.query<{ text: string }>('select text from public.notes order by text')
        return rows.map(({ text }) => text)
      })
    } finally {
      await copy.stop()
    }
  }

  test('the instance makes its first backup by itself; another one is made, opened and listed by hand', async () => {
    await until(isIdle, 120_000)
    await write('before the backup')
    const [block = ''] = await blocksOf('backup.md', 'Backup and restore')
    const output = follow(block)
    expect(output).toMatch(/✓ \w+: [\d.]+ \w+, of which [\d.]+ \w+ are new/)
    expect(output).toMatch(/✓ \w+ opens, and is whole/)
    // What the page shows of a check are the things that are looked at.
    const [, , shown = ''] = (await textOf('backup.md')).split(/^```\n {2}✓ /m)
    const labels = (text: string) => [...text.matchAll(/^ {4}(\w+): /gm)].map(([, label]) => label)
    expect(labels(output)).toEqual(expect.arrayContaining(labels(shown.split('```')[0] ?? '')))
    expect(output).toMatch(/backup +rows until +size +new +keys +verified\n.* sealed .*Z$/m)
  }, 240_000)

  test('any moment of the log is restored, and its end, and both say what they mean for files and events', async () => {
    await write('after the backup')
    const moment = new Date(Date.now() + 1)
    await until(() => Date.now() > moment.getTime())
    await write('by mistake')
    const [block = ''] = await blocksOf('backup.md', 'Any moment')
    const spans = /any moment by --at: \S+ to (\S+)$/gm
    const keptUntil = () => {
      const listed = follow(block.split('\n')[0] ?? '')
      return Math.max(...[...listed.matchAll(spans)].map(([, end = '']) => Date.parse(end)))
    }
    const wroteAt = Date.now()
    await until(() => keptUntil() >= wroteAt, 60_000)
    const output = follow(block.replace(/--at 2\S+/, `--at ${moment.toISOString()}`), {
      CLEW_BACKUP_PASSPHRASE: passphrase,
    })
    expect(output).toContain(`rows until ${moment.toISOString()}`)
    expect(output.match(/Events, recordings, histories and files are those of the backup/g)).toHaveLength(2)
    expect(await notesIn('clew-restored')).toEqual(['after the backup', 'before the backup'])
    expect(await notesIn('clew-latest')).toEqual(['after the backup', 'before the backup', 'by mistake'])
    await rm(join(folder, 'var/lib/clew-restored'), { recursive: true })
  }, 240_000)

  test('a timer of one’s own makes, opens and prunes', async () => {
    await until(isIdle, 60_000)
    const text = (await blocksOf('backup.md', 'Any moment', ''))[0] ?? ''
    const line = text.split('\n').find((each) => !each.startsWith('#')) ?? ''
    const [, job = ''] = /^(?:\S+ ){5}(.*)$/.exec(line) ?? []
    expect(follow(job, { CLEW_BACKUP_PASSPHRASE: passphrase })).toContain('opens, and is whole')
  }, 240_000)

  test('a restored directory starts in production, and the old one was not touched', async () => {
    const [block = ''] = await blocksOf('backup.md', 'Restore')
    const [restore = '', start = ''] = block.split('\n')
    const [keys, version] = ['keys.json', 'version.json'].map((name) => join(product.dataDir, name))
    const read = () => Promise.all([keys, version].map((path) => readFile(path ?? '', 'utf8')))
    const before = await read()
    follow(restore, { CLEW_BACKUP_PASSPHRASE: passphrase })
    expect(await read()).toEqual(before)
    expect(start).toBe('npx clew start --production --data /var/lib/clew-restored')
    expect(await notesIn('clew-restored', ['--production'])).toContain('before the backup')
    const settings = join(folder, 'var/lib/clew-restored/settings/clew.toml')
    expect(await readFile(settings, 'utf8')).toBe(await readFile(join(project, 'clew.toml'), 'utf8'))
  }, 240_000)
})

test('the settings of a bucket are such as there are', async () => {
  const [block = ''] = await blocksOf('backup.md', 'In a bucket', 'toml')
  const { backup } = parseToml(block) as { readonly backup: Readonly<Record<string, string>> }
  const variables = Object.fromEntries(
    Object.entries(backup).map(([name, value]) => [`CLEW_BACKUP_${name.toUpperCase()}`, value]),
  )
  const [, secret = ''] = /the secret: (\w+)/.exec(block) ?? []
  const { places, problems } = readAllSettings({
    ...{ flags: {}, workingDirectory: tmpdir() },
    environment: { ...variables, [secret]: 'a secret' },
  })
  expect(problems).toEqual([])
  expect(Object.values(places.backup ?? {}).toSorted()).toEqual([...Object.keys(variables), secret].toSorted())
})
