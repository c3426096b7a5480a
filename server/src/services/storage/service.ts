import type { Storage } from './storage.ts'

/** The API of files at `/storage/v1`. It asks for a token where one is needed, so that links work without a key. */
export const storageService = (storage: Storage) => ({
  mounts: [{ prefix: '/storage/v1', service: 'storage', plugin: storage.plugin, needsKey: () => false }],
  start: async () => async () => undefined,
  close: storage.close,
})
