import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { japan, lisbon, mmdbFile } from '../../../../test/mmdb.ts'
import { openPlaces } from './database.ts'
import { readPlaces } from './place.ts'

const inLisbon = {
  ...{ $geoip_city_name: 'Lisbon', $geoip_country_name: 'Portugal', $geoip_country_code: 'PT' },
  ...{ $geoip_continent_name: 'Europe', $geoip_continent_code: 'EU', $geoip_postal_code: '1000-139' },
  ...{ $geoip_latitude: 38.7057, $geoip_longitude: -9.1359, $geoip_accuracy_radius: 20 },
  ...{ $geoip_time_zone: 'Europe/Lisbon' },
  ...{ $geoip_subdivision_1_code: '11', $geoip_subdivision_1_name: 'Lisbon District' },
}
const inJapan = { $geoip_country_name: 'Japan', $geoip_country_code: 'JP' }

const file = mmdbFile([
  ['203.0.113.0/24', lisbon],
  ['2001:db8:1::/48', japan],
])

const shared = (bytes: Buffer): SharedArrayBuffer => {
  const memory = new SharedArrayBuffer(bytes.length)
  Buffer.from(memory).set(bytes)
  return memory
}

test.each([
  ['203.0.113.77', inLisbon],
  ['::ffff:203.0.113.77', inLisbon],
  ['203.0.114.1', null],
  ['2001:db8:1:2::3', inJapan],
  ['2001:db8:2::', null],
  ['fe80::1%eth0', null],
  ['not an address', null],
  ['', null],
])('%s is found as %j', (address, expected) => {
  expect(readPlaces(shared(file))(address)).toEqual(expected)
})

test('a damaged record has no place, and harms nothing else', () => {
  const damaged = Buffer.from(file)
  // The first byte of a record says what it is.
  damaged.fill(0, file.indexOf('city') - 2, file.indexOf('city'))
  const find = readPlaces(shared(damaged))
  expect(find('203.0.113.77')).toBeNull()
  expect(find('2001:db8:1:2::3')).toEqual(inJapan)
})

test('a file that is none is refused by its name; one that replaces a good one leaves that in use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-places-'))
  const path = join(folder, 'city.mmdb')
  const lines: unknown[] = []
  const note = (_about: unknown, line: string) => lines.push(line)
  const log = { info: note, warn: note, error: note }
  await expect(openPlaces({ path, log })).rejects.toMatchObject({
    code: 'CLEW_GEO_DATABASE',
    details: expect.stringContaining(path),
  })
  await writeFile(path, 'no database')
  await expect(openPlaces({ path, log })).rejects.toMatchObject({ code: 'CLEW_GEO_DATABASE' })
  await writeFile(path, file)
  const places = await openPlaces({ path, lookMs: 10, log })
  onTestFinished(async () => {
    await places.close()
    await rm(folder, { recursive: true })
  })
  expect(places.find('203.0.113.77')).toEqual(inLisbon)
  const replace = async (bytes: Buffer) => {
    await writeFile(`${path}.new`, bytes)
    await rename(`${path}.new`, path)
  }
  await replace(Buffer.from('damaged on its way'))
  await expect.poll(() => lines).toEqual(['places: the new database cannot be read, the earlier one stays'])
  expect(places.find('203.0.113.77')).toEqual(inLisbon)
  await replace(mmdbFile([['203.0.113.0/24', japan]]))
  await expect.poll(() => places.find('203.0.113.77')).toEqual(inJapan)
})
