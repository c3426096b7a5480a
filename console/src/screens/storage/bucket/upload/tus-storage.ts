import type { UrlStorage } from 'tus-js-client'
import type { UploadRecords, UploadTarget } from './interrupted/upload-records.ts'

/** Where tus-js-client keeps the address of one upload, so that the next attempt, of this page or another, goes on with it. */
export const tusStorageOf = (records: UploadRecords, target: UploadTarget): UrlStorage => ({
  // An upload asks by its fingerprint only.
  findAllUploads: async () => [],
  findUploadsByFingerprint: async () => {
    const record = records.find(target)
    if (record === undefined) return []
    records.claim(record)
    const { id: urlStorageKey, url: uploadUrl, sizeBytes: size } = record
    return [{ urlStorageKey, uploadUrl, size, metadata: {}, creationTime: '', parallelUploadUrls: null }]
  },
  removeUpload: async (id) => records.remove(id),
  addUpload: async (_fingerprint, { uploadUrl }) => records.add(target, uploadUrl ?? ''),
})
