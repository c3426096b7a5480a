import { type BodyOf, bodyOf, type Cancel, cancel, client } from '../client.ts'

/** What is kept longer than its days and budgets. */
export const retentionApi = {
  keptLonger: (options?: Cancel) => bodyOf(client.GET('/console/api/retention', cancel(options))),
  placeHold: (body: BodyOf<'placeHold'>) => bodyOf(client.POST('/console/api/retention/holds', { body })),
  endHold: (id: string, reason: string) =>
    bodyOf(client.POST('/console/api/retention/holds/{id}/end', { params: { path: { id } }, body: { reason } })),
}
