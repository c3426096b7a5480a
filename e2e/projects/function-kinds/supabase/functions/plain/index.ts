// Says nothing of origins, as a function that was only tried on a local stack.
Deno.serve((request) => Response.json({ method: request.method, feature: request.headers.get('x-new-feature') }))
