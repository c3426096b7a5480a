import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { tomlPlace } from '../ground/settings/names.ts'
import { readAllSettings } from './read.ts'

const root = new URL('../../../', import.meta.url)
const page = await readFile(new URL('docs/reference/limits.md', root), 'utf8')

/** The rows of the tables below some headings, cell by cell. */
const rowsBelow = (...headings: readonly string[]): readonly (readonly string[])[] =>
  headings.flatMap((heading) => {
    const [, below = ''] = page.split(`## ${heading}\n`)
    const [text = ''] = below.split('\n## ')
    const lines = text.split('\n').filter((line) => line.startsWith('| '))
    // The first names the columns.
    return lines.slice(1).map((line) => line.slice(2, -2).split(' | '))
  })

const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2 }

/** `50 MiB` as `…_bytes` counts it; the number alone for other settings, whose names say their unit. */
function countOf(text: string, setting: string): number {
  const [number = '', unit = ''] = text.trim().split(' ')
  return Number(number.replaceAll(',', '')) * (setting.endsWith('_bytes') ? (units[unit] ?? Number.NaN) : 1)
}

/** The default of each setting, as `clew.toml` has its name: `[mcp] max_rows`. */
const { settings } = readAllSettings({ flags: {}, environment: {}, workingDirectory: tmpdir() })
const defaults = new Map<string, unknown>(
  Object.entries(settings).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => [tomlPlace(section === 'instance' ? null : section, name), value]),
  ),
)

test('the limits of the page are the defaults of their settings', () => {
  for (const [what = '', values = '', named = ''] of rowsBelow('Limits that are met first')) {
    let name = ''
    const places = named.split(', ').map((part) => {
      const [, own, section] = /^(?:`(\w+)`)?(?: ?of `(\[\w+\])`)?$/.exec(part) ?? []
      name = own ?? name
      return section === undefined ? name : `${section} ${name}`
    })
    const expected = values.split('; ').map((value, index) => [places[index], countOf(value, places[index] ?? '')])
    expect(
      places.map((place) => [place, defaults.get(place)]),
      what,
    ).toEqual(expected)
  }
})

test('each figure of the page is one of the measurements', async () => {
  const measurements = await readFile(new URL('bench/README.md', root), 'utf8')
  const rows = rowsBelow('Memory', 'Time', 'Disk')
  expect(rows.length).toBeGreaterThan(20)
  for (const [what = '', measured = ''] of rows)
    for (const figure of measured.match(/\d[\d,.]*\d|\d/g) ?? []) {
      const pattern = new RegExp(`(?<![\\d,.])${figure.replaceAll('.', '\\.')}(?!\\d|[,.]\\d)`)
      expect(pattern.test(measurements), `${what}: ${figure} is not in bench/README.md`).toBe(true)
    }
})
