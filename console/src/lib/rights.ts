import { useQuery } from '@tanstack/react-query'
import { operatorQuery } from './api/queries.ts'

/** What the role of an operator allows. */
export interface Rights {
  /** Whether the operator may see how the application fares. */
  readonly canLook: boolean
  /** Whether the operator may change things, and see the application's data. */
  readonly canChange: boolean
  /** Whether the operator may read secrets. */
  readonly canReveal: boolean
  /** Whether the operator may decide what is kept of people. */
  readonly canProtect: boolean
  /** Whether the operator may choose who the operators are. */
  readonly canManageTeam: boolean
}

/** What the role of the signed-in operator allows, by the server's rule; the server checks it again. */
export function useRights(): Rights {
  const role = useQuery(operatorQuery).data?.role
  return {
    canLook: role !== undefined && role !== 'viewer',
    canChange: role === 'owner' || role === 'developer',
    canReveal: role === 'owner',
    canProtect: role === 'owner',
    canManageTeam: role === 'owner',
  }
}
