#!/usr/bin/env bash
# From an empty home directory to a delivered mail with the command mailroom, with the time of each step. The part of a
# person, sign-up and approval, is done over HTTP. Needs curl, jq, the command, and a running Mailroom.
set -euo pipefail
api=${MAILROOM_API:-http://localhost:8080} admin=${MAILROOM_ADMIN:-http://localhost:8081}
mailbox=${MAILROOM_MAILBOX:-http://localhost:8025}
read -ra mailroom <<< "${MAILROOM:-mailroom}"
unset MAILROOM_API_KEY MAILROOM_URL XDG_CONFIG_HOME XDG_STATE_HOME
HOME=$(mktemp -d)
trap 'rm -r "$HOME"' EXIT
export HOME
name=first-mail-$$ password='correct horse battery' begin=$(date +%s%N)
post() { curl -sS --fail-with-body -H 'Content-Type: application/json' "$@"; }
step() { printf '%5d ms  %s\n' $((($(date +%s%N) - begin) / 1000000)) "$1"; }

# The person: sign-up, with the link in the mail, and sign-in.
post "$api/api/auth/register" -d '{"email": "'$name'@person.test", "password": "'"$password"'"}' > "$HOME/answer"
token=$(curl -sS "$mailbox/messages?wait=30&to=$name@person.test" |
  jq -er '.messages[0].text | capture("token=(?<it>[^\\s&]+)").it')
post "$api/api/auth/verify-email" -d '{"token": "'"$token"'"}' > "$HOME/answer"
jwt=$(post "$api/api/auth/login" -d '{"email": "'$name'@person.test", "password": "'"$password"'"}' |
  jq -er .data.access_token)
step 'signed up'

# Device sign-in: the command asks for a code, which the person approves.
started=$("${mailroom[@]}" login --url "$api" --store file --start)
code=$(jq -er .code <<< "$started")
mutation='mutation { approveDeviceSignIn(input: {code: \"'$code'\", name: \"cli\", permissions: [SEND, DOMAINS_WRITE]}) { done } }'
post "$admin/graphql" -H "Authorization: Bearer $jwt" -d '{"query": "'"$mutation"'"}' | jq -e '.data[].done' > "$HOME/answer"
"${mailroom[@]}" login --finish "$(jq -er .id <<< "$started")" > "$HOME/answer"
step 'signed in'

# Names under .test verify without DNS.
"${mailroom[@]}" domains add "$name.test" > "$HOME/answer"
"${mailroom[@]}" domains verify "$name.test" --wait 1m > "$HOME/answer"
step 'domain verified'

"${mailroom[@]}" send --from "Shop <hi@$name.test>" --to ann@example.test --subject 'Hello from the command' \
  --text 'It works.' --wait | jq -er .status
step 'mail delivered'
