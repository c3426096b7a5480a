import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from './client.ts'

/** The requests of masks, withdrawals and erasures. */
export const privacyApi = {
  privacy: (options?: Cancel) =>
    bodyOf(client.GET('/console/api/privacy', { params: { query: { jobs: 50 } }, ...cancel(options) })),
  maskable: (options?: Cancel) => bodyOf(client.GET('/console/api/privacy/maskable', cancel(options))),
  addMask: (body: BodyOf<'addMask'>) => bodyOf(client.POST('/console/api/privacy/masks', { body })),
  removeMask: (id: string) => bodyOf(client.DELETE('/console/api/privacy/masks/{id}', { params: { path: { id } } })),
  withdrawals: async (options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/privacy/withdrawals', { params: { query: { limit: 50 } }, ...cancel(options) }),
      )
    ).withdrawals,
  previewErasure: (query: QueryOf<'previewErasure'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/privacy/preview', { params: { query }, ...cancel(options) })),
  checkErasure: (body: BodyOf<'checkErasure'>) => bodyOf(client.POST('/console/api/privacy/erasures/check', { body })),
  erasePerson: (body: BodyOf<'erasePerson'>) => bodyOf(client.POST('/console/api/privacy/erasures', { body })),
  erasures: async (options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/privacy/erasures', { params: { query: { limit: 100 } }, ...cancel(options) }),
      )
    ).erasures,
  verifyCertificate: (certificate: unknown) =>
    bodyOf(client.POST('/console/api/privacy/certificates/verify', { body: { certificate } })),
}

/** Whose data: a person of analytics, or a user. */
export type PersonKey = QueryOf<'previewErasure'>

/** Where all that is kept of a person is downloaded as a file. */
export const personExportUrl = ({ kind, id }: PersonKey): string => `/console/api/privacy/export?kind=${kind}&id=${id}`

/** Where the certificate of an erasure is downloaded. */
export const certificateUrl = (id: string): string => `/console/api/privacy/erasures/${id}/certificate`
