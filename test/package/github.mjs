// Replaces GitHub, and nothing else, in a process that is started with `--import` of this file.
const USER = { id: 1, login: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }

const ANSWERS = {
  'https://github.com/login/oauth/access_token': {
    access_token: 'a token',
    token_type: 'bearer',
    scope: 'read:user,user:email',
  },
  'https://api.github.com/user': USER,
}

const { fetch } = globalThis

globalThis.fetch = (input, init) => {
  const answer = ANSWERS[input instanceof Request ? input.url : String(input)]
  return answer ? Promise.resolve(Response.json(answer)) : fetch(input, init)
}
