import { type BodyOf, bodyOf, type Cancel, cancel, client } from './client.ts'

/** What is asked of the advisor. */
export const advisorApi = {
  advice: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/advisor', cancel(options)))).advice,
  ignoreAdvice: (body: BodyOf<'ignoreAdvice'>) => bodyOf(client.PUT('/console/api/advisor/ignored', { body })),
  unignoreAdvice: (query: { readonly name: string; readonly object: string }) =>
    bodyOf(client.DELETE('/console/api/advisor/ignored', { params: { query } })),
}
