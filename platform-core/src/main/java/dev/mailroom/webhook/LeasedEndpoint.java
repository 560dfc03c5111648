package dev.mailroom.webhook;

import java.util.List;
import java.util.UUID;

import dev.mailroom.event.TraceParent;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that is leased to this worker, with calls that are due.
 *
 * @param epoch number of the lease
 * @param svixHeaders whether calls also have the headers of Svix
 * @param secrets the secrets that sign, the newest first
 * @param calls at most the requested number, in the order of their due times
 * @param full whether more calls may be due
 */
public record LeasedEndpoint(UUID endpointId, UUID accountId, int epoch, String url, boolean svixHeaders,
		List<String> secrets, List<Call> calls, boolean full) {

	@Override
	public String toString() {
		return "LeasedEndpoint[" + this.endpointId + ", epoch=" + this.epoch + ", calls=" + this.calls.size() + "]";
	}

	/**
	 * A call to make.
	 *
	 * @param id the id of the delivery
	 * @param eventId the id that all attempts send
	 * @param body the body that all attempts send
	 * @param attempt the number of attempts made before
	 * @param trace the span of the request that sent the mail of the event; null unless
	 * it was sampled and this is the first attempt
	 * @param firstWaitSeconds the time since the event; null unless this is the first
	 * attempt
	 */
	public record Call(UUID id, UUID eventId, String kind, String body, int attempt, @Nullable TraceParent trace,
			@Nullable Double firstWaitSeconds) {

		@Override
		public String toString() {
			return "Call[" + this.id + ", " + this.kind + ", attempt=" + this.attempt + "]";
		}

	}

}
