package dev.mailroom.idempotency;

/**
 * What a request was answered, to be said again word for word.
 *
 * @param status as HTTP numbers it
 * @param body the answer's JSON
 */
public record Answer(int status, String body) {
}
