// Stands for `edge-runtime.d.ts` of @supabase/functions-js, which functions import for their editor's sake: types only.
export {}
