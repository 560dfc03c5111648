package dev.mailroom.worker.feedback;

import java.util.List;

/**
 * A mail that came back, taken apart.
 *
 * @param status of a delivery report, a group each for the message and every recipient
 * @param feedback of a complaint
 * @param original the header of the mail that it is about, where it was included
 * @param text what it says to people
 */
record Returned(Fields header, List<Fields> status, Fields feedback, Fields original, String text) {
}
