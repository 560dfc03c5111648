/**
 * The life of a mail. docs/tour.md follows one through the code.
 * <ol>
 * <li>{@code draft}: what a sender wrote becomes a checked mail, or is refused with all
 * invalid fields.</li>
 * <li>{@code accept}: many requests are committed in one transaction, with idempotency
 * keys and quota. From here on, each recipient is a delivery with a row in
 * {@code queue}.</li>
 * <li>{@code queue}: the delivery becomes due, is leased by the dispatcher and published.
 * A worker opens a session and passes the fence, which excludes all other workers.
 * {@code Transitions} has one method for each change of state.</li>
 * <li>The worker composes the message and hands it over.</li>
 * <li>{@code outcome}: the settlement records the result. The delivery is finished, or
 * due again later. Bounces and complaints that arrive later move it forward, once.</li>
 * <li>{@code log}: lists, search, details and usage; scheduled mails are moved and
 * cancelled.</li>
 * </ol>
 */
package dev.mailroom.mail;
