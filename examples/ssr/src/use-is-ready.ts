import { useEffect, useState } from 'react'

/** False until React has taken over the server's page: a button pressed before would do what a page without scripts does. */
export function useIsReady() {
  const [isReady, setIsReady] = useState(false)
  useEffect(() => setIsReady(true), [])
  return isReady
}
