import type { OpenTopic } from '../../../ground/model/topic.ts'
import type { InferredLinks, ObservedLink } from './inferred-links.ts'

type SharedLink = Omit<ObservedLink, 'at'> & { readonly atMs: number }

/** Links that every process learns of: a call without a tag may come to another one than the tagged calls did. */
export function shareLinks(links: InferredLinks, topic: OpenTopic): InferredLinks {
  const others = topic<SharedLink>('thread.links')
  others.hear(({ atMs, ...link }) => links.remember({ ...link, at: new Date(atMs) }))
  return {
    remember(link) {
      links.remember(link)
      const { at, ...shared } = link
      others.tell({ ...shared, atMs: at.getTime() })
    },
    recall: links.recall,
  }
}
