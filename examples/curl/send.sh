# #region send
curl "$MAILROOM_URL/emails" \
  -H "Authorization: Bearer $MAILROOM_API_KEY" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: hello-1' \
  -d '{
    "from": "Shop <hello@shop.test>",
    "to": ["ann@example.test"],
    "subject": "Hello from curl",
    "text": "It works."
  }'
# #endregion
# #region look
curl 'http://localhost:8025/messages?to=ann@example.test'
# #endregion
