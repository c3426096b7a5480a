import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Shows what the server has saved. A read that is under way began before the save, and does not take its place. */
export async function keepSaved<Stored>(
  queryClient: QueryClient,
  { queryKey }: { readonly queryKey: QueryKey },
  saved: Stored,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, saved)
}
