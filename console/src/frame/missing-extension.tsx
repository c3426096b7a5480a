import type { ReactNode } from 'react'
import { Code } from '../ui/code.tsx'
import { Empty } from '../ui/empty.tsx'

interface MissingExtensionProps {
  readonly name: string
  /** What it brings. */
  readonly children: ReactNode
}

/** Stands in place of a screen whose extension the database does not have yet. */
export function MissingExtension({ name, children }: MissingExtensionProps) {
  return (
    <Empty title={`The extension ${name} is not created yet.`}>
      <p>{children}</p>
      <Code text={`create extension if not exists ${name};`} language="sql" copyLabel="Copy the SQL" />
      <p>Run it in a migration, or in psql as postgres. This page follows.</p>
    </Empty>
  )
}
