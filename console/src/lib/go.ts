import type { NavigateOptions, RegisteredRouter, UseNavigateResult } from '@tanstack/react-router'
import { inBackground } from './in-background.ts'

/**
 * Goes to an address without waiting for it.
 *
 * @param route what addresses are relative to; without `to` only its search parameters change
 */
export function useGo<const From extends string>(route: { readonly useNavigate: () => UseNavigateResult<From> }) {
  const navigate = route.useNavigate()
  return <const To extends string | undefined = undefined>(
    options: NavigateOptions<RegisteredRouter, From, To>,
  ): void => inBackground(navigate(options))
}
