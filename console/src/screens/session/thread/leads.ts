import { createContext } from 'react'

/** Whether what is shown is stored on this instance, and so lines lead to it; a file's requests and rows are elsewhere. */
export const Leads = createContext(true)
