import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { bucket } from '../../../test/answers/database.ts'
import { instance, operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { StorageEntry, StorageObject } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const folder: StorageEntry = {
  kind: 'folder',
  key: 'cakes/',
  id: null,
  sizeBytes: null,
  mimeType: null,
  updatedAt: null,
}
const picture: StorageEntry = {
  kind: 'object',
  key: 'tart.png',
  id: '01a203d8-0000-7000-8000-00000000000b',
  sizeBytes: 1200,
  mimeType: 'image/png',
  updatedAt: at,
}
const object: StorageObject = {
  id: '01a203d8-0000-7000-8000-00000000000b',
  bucketId: 'photos',
  key: 'tart.png',
  ownerId: null,
  sizeBytes: 1200,
  mimeType: 'image/png',
  cacheControl: 'no-cache',
  etag: '"x"',
  createdAt: at,
  updatedAt: at,
  userMetadata: { by: 'Ann' },
  hasFile: true,
  preview: 'image',
  publicUrl: 'http://127.0.0.1:54321/storage/v1/object/public/photos/tart.png',
}
const answersWith = (entries: readonly StorageEntry[]): Answers => ({
  ...signedIn,
  '/console/api/storage/buckets': {
    get: { buckets: [bucket], fileSizeLimit: 52_428_800, countedAt: '2026-01-02T03:04:05.000Z' },
  },
  '/console/api/storage/policies': { get: { policies: [] } },
  '/console/api/storage/buckets/{bucketId}': { delete: null, patch: null },
  '/console/api/storage/buckets/{bucketId}/entries': { get: { entries: [...entries], next: null } },
  '/console/api/storage/buckets/{bucketId}/object': { get: object },
  '/console/api/storage/buckets/{bucketId}/remove': { post: { removed: 1, undo: 'u1', more: false } },
  '/console/api/storage/buckets/{bucketId}/move': { post: { moved: 1, failed: [], left: 0, next: null } },
  '/console/api/storage/bucket-names': { get: { names: ['photos', 'archive'] } },
  '/console/api/storage/buckets/{bucketId}/empty': { post: { removed: 3, more: false } },
  '/console/api/storage/restore': { post: { restored: 1 } },
})

test('folders open in the address, and the way leads back', async () => {
  const opened = openConsole('/storage/photos', answersWith([folder, picture]))
  await userEvent.click(await screen.findByRole('button', { name: 'cakes' }))
  await expect.poll(opened.at).toBe('/storage/photos?folder=cakes%2F')
  expect(opened.asked.some((line) => line.includes('entries?') && line.includes('prefix=cakes%2F'))).toBe(true)
  const way = within(screen.getByRole('navigation', { name: 'Folders' }))
  expect(way.getByRole('button', { name: 'cakes' }).getAttribute('aria-current')).toBe('location')
  await userEvent.click(way.getByRole('button', { name: 'photos' }))
  await expect.poll(opened.at).toBe('/storage/photos')
})

test('an object opens with its preview and facts; its link comes back', async () => {
  const opened = openConsole('/storage/photos?object=tart.png', answersWith([picture]))
  const drawer = within(await screen.findByRole('dialog', { name: 'tart.png' }))
  const image = await drawer.findByRole('img', { name: 'Preview of tart.png' })
  expect(image.getAttribute('src')).toContain('/console/api/storage/buckets/photos/content?key=tart.png')
  expect(drawer.getByText('{"by":"Ann"}')).toBeTruthy()
  expect(drawer.getByRole('link', { name: 'Download' }).getAttribute('href')).toContain('download=true')
  await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
  await expect.poll(opened.at).toBe('/storage/photos')
})

test('what is selected is deleted, and comes back by Undo', async () => {
  const { asked } = openConsole('/storage/photos', answersWith([picture]))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select tart.png' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete 1' }))
  await screen.findByText('1 object was deleted.')
  expect(asked).toContain('POST /storage/buckets/photos/remove')
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await expect.poll(() => asked).toContain('POST /storage/restore')
})

test('an object is renamed', async () => {
  const { asked } = openConsole('/storage/photos?object=tart.png', answersWith([picture]))
  await userEvent.click(await screen.findByRole('button', { name: 'Rename or move' }))
  const key = await screen.findByRole('textbox', { name: 'Key, with its folders' })
  expect(screen.getByRole('button', { name: 'Move' }).hasAttribute('disabled')).toBe(true)
  await userEvent.clear(key)
  await userEvent.type(key, 'cakes/tart.png')
  await userEvent.click(screen.getByRole('button', { name: 'Move' }))
  await screen.findByText('The object is moved.')
  expect(asked).toContain('POST /storage/buckets/photos/move')
})

test('a folder moves batch by batch; what stays is named, and the rest is tried again', async () => {
  const sent: unknown[] = []
  const opened = openConsole('/storage/photos', {
    ...answersWith([folder, picture]),
    '/console/api/storage/buckets/{bucketId}/move': {
      post: async (request) => {
        const body = (await request.json()) as { after: string }
        sent.push(body)
        return Response.json(
          body.after === ''
            ? { moved: 199, failed: [{ key: 'cakes/7.png', problem: 'The key is taken.' }], left: 50, next: 'cakes/9' }
            : { moved: 50, failed: [], left: 0, next: null },
        )
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for cakes' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename or move' }))
  const path = await screen.findByRole('textbox', { name: 'Folder, with those above it' })
  expect(opened.at()).toBe('/storage/photos')
  await userEvent.clear(path)
  await userEvent.type(path, 'tarts')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Bucket' }), 'archive')
  await userEvent.click(screen.getByRole('button', { name: 'Move' }))
  await screen.findByRole('button', { name: 'Move the rest' })
  expect(screen.getByText(/^249 of 250 moved/).textContent).toBe('249 of 250 moved, 1 stayed where they were')
  expect(screen.getByRole('list', { name: 'What could not be moved' }).textContent).toBe(
    'cakes/7.png The key is taken.',
  )
  expect(sent).toEqual(['', 'cakes/9'].map((after) => ({ from: 'cakes/', to: 'tarts/', toBucket: 'archive', after })))
})

test('all that is loaded is selected at once, and in the grid as well', async () => {
  const { asked } = openConsole('/storage/photos?view=grid', answersWith([folder, picture]))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select cakes' }))
  await userEvent.click(screen.getByRole('button', { name: 'Show a list' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete 2' }))
  await expect.poll(() => asked).toContain('POST /storage/buckets/photos/remove')
})

test('an instance that serves no files says how to turn them on', async () => {
  const { asked } = openConsole('/storage/photos', {
    ...answersWith([]),
    '/console/api/instance': { get: { ...instance, services: ['rest', 'auth'] } },
  })
  await screen.findByRole('heading', { name: 'Storage is off.' })
  expect(asked.filter((line) => line.includes('/storage/'))).toEqual([])
})

test('what may not be read says why', async () => {
  openConsole('/storage/photos', {
    ...answersWith([]),
    '/console/api/storage/buckets/{bucketId}/entries': {
      get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.'),
    },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})

test('a bucket is deleted with all it holds only after its name is typed', async () => {
  const { at: address, asked } = openConsole('/storage/photos', answersWith([]))
  await screen.findByRole('heading', { name: 'This folder is empty.' })
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete the bucket' }))
  const button = await screen.findByRole('button', { name: 'Delete photos' })
  expect(button.hasAttribute('disabled')).toBe(true)
  await userEvent.type(screen.getByRole('textbox', { name: 'Type photos to confirm' }), 'photos')
  await userEvent.click(button)
  await expect.poll(address).toBe('/storage')
  expect(asked).toContain('POST /storage/buckets/photos/empty')
  expect(asked).toContain('DELETE /storage/buckets/photos')
})

test('thumbnails stand in the address; ten thousand objects draw only the rows in sight; an analyst changes nothing', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...picture, key: `${index}.png` }))
  const opened = openConsole('/storage/photos', {
    ...answersWith(many),
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  const table = await screen.findByRole('table', { name: 'Objects' })
  expect(within(table).getAllByRole('row').length).toBeLessThan(80)
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  opened.close()
  const few = openConsole('/storage/photos', answersWith([folder, picture]))
  await userEvent.click(await screen.findByRole('button', { name: 'Show thumbnails' }))
  await expect.poll(few.at).toBe('/storage/photos?view=grid')
  expect((await screen.findByRole('list', { name: 'Objects' })).querySelectorAll('img').length).toBe(1)
})

test('a grid asks for small pictures, whatever the images weigh; an icon stands for one that there is not', async () => {
  const huge = { ...picture, key: 'huge.png', sizeBytes: 20_000_000 }
  const { asked } = openConsole('/storage/photos?view=grid', answersWith([picture, huge]))
  const card = within(await screen.findByRole('article', { name: 'huge.png' }))
  const image = card.getByRole('presentation')
  expect(image.getAttribute('src')).toContain('/buckets/photos/thumbnail?key=huge.png&size=tile')
  fireEvent.error(image)
  expect(card.queryByRole('presentation')).toBeNull()
  card.getByRole('button', { name: 'Open huge.png' })
  expect(asked.some((line) => line.includes('/content'))).toBe(false)
})

test('a large image is previewed small, and says so where that cannot be', async () => {
  openConsole('/storage/photos?object=tart.png', {
    ...answersWith([picture]),
    '/console/api/storage/buckets/{bucketId}/object': { get: { ...object, sizeBytes: 20_000_000 } },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'tart.png' }))
  const image = await drawer.findByRole('img', { name: 'Preview of tart.png' })
  expect(image.getAttribute('src')).toContain('/thumbnail?key=tart.png&size=preview')
  fireEvent.error(image)
  await drawer.findByText(/^There is no preview/)
})

test('a bucket that is not there says so, takes no files, and leads to its history', async () => {
  openConsole('/storage/nowhere', answersWith([]))
  await screen.findByRole('heading', { name: 'There is no bucket with this name.' })
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
  const link = screen.getByRole('link', { name: 'its history' })
  expect(link.getAttribute('href')).toBe('/console/storage/nowhere?tab=history')
})
