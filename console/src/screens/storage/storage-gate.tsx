import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/api/queries.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** Shows a screen of storage where the instance serves files, and else says why it does not. */
export function StorageGate({ children }: { readonly children: ReactNode }) {
  const { data: instance, isPending } = useQuery(instanceQuery)
  if (isPending)
    return (
      <Page title="Storage">
        <SkeletonRows />
      </Page>
    )
  if (instance === undefined || instance.services.includes('storage')) return children
  return (
    <Page title="Storage">
      <Empty title="Storage is off.">
        <p>The instance serves no files. Where its settings turn it off, take this out of clew.toml and start again:</p>
        <Code text={'[storage]\nenabled = false'} copyLabel="Copy the setting" />
        <p>A database that brings its own schema storage keeps the service that belongs to it.</p>
      </Empty>
    </Page>
  )
}
