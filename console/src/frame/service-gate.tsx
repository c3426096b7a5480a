import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { instanceQuery } from '../lib/api/queries.ts'
import { Code } from '../ui/code.tsx'
import { Empty } from '../ui/empty.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Page } from './page.tsx'

interface ServiceGateProps {
  /** As the settings name it. */
  readonly service: 'storage' | 'realtime'
  readonly title: string
  /** What is not there without it. */
  readonly missing: string
  /** Why else it may be off. */
  readonly note?: string
  readonly children: ReactNode
}

/** Shows a screen of a service where the instance has it, and else says why it does not. */
export function ServiceGate({ service, title, missing, note, children }: ServiceGateProps) {
  const { data: instance, isPending } = useQuery(instanceQuery)
  if (isPending)
    return (
      <Page title={title}>
        <SkeletonRows />
      </Page>
    )
  if (instance === undefined || instance.services.includes(service)) return children
  return (
    <Page title={title}>
      <Empty title={`${title} is off.`}>
        <p>The instance {missing}. Where its settings turn it off, take this out of clew.toml and start again:</p>
        <Code text={`[${service}]\nenabled = false`} copyLabel="Copy the setting" />
        {note && <p>{note}</p>}
      </Empty>
    </Page>
  )
}
