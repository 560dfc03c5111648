package dev.mailroom.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

import dev.mailroom.sdk.Json;
import dev.mailroom.sdk.MailroomException;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a stream of the server. When a stream ends, it goes on with another after
 * the last message.
 */
final class EventStream {

	private static final long FIRST_PAUSE_MS = 250;

	private static final long LONGEST_PAUSE_MS = 15_000;

	private final Api api;

	private final String path;

	private final Map<String, @Nullable Object> query;

	private @Nullable String last;

	/**
	 * Prepares a stream.
	 * @param after the message to continue after; null for the events from now on
	 */
	EventStream(Api api, String path, Map<String, ? extends @Nullable Object> query, @Nullable String after) {
		this.api = api;
		this.path = path;
		this.query = new LinkedHashMap<>(query);
		this.last = after;
	}

	/** Handles messages until the handler has seen enough. */
	void read(Output output, Predicate<Message> handler) {
		long pause = FIRST_PAUSE_MS;
		boolean connected = false;
		while (true) {
			this.query.put("after", this.last);
			try (BufferedReader lines = new BufferedReader(
					new InputStreamReader(this.api.events(Api.query(this.path, this.query)), StandardCharsets.UTF_8))) {
				connected = true;
				pause = FIRST_PAUSE_MS;
				if (!read(lines, handler)) {
					return;
				}
			}
			catch (IOException | UncheckedIOException ex) {
				output.note("The connection was lost (" + Output.clean(String.valueOf(ex.getMessage())) + ")");
			}
			catch (MailroomException ex) {
				// Only the first connection shows that address and key are right.
				if (!connected || (ex.statusCode() != 0 && ex.statusCode() < 500 && ex.statusCode() != 429)) {
					throw ex;
				}
				output.note("The server is not reached; trying again");
			}
			Emails.pause(pause);
			pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
		}
	}

	/** Reads one stream (HTML Standard, 9.2.6). Returns false if that was enough. */
	private boolean read(BufferedReader lines, Predicate<Message> handler) throws IOException {
		StringBuilder data = new StringBuilder();
		String id = null;
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith("data:")) {
				data.append(line.substring(5));
			}
			else if (line.startsWith("id:")) {
				id = line.substring(3).strip();
			}
			else if (line.isEmpty()) {
				boolean enough = !data.isEmpty()
						&& !handler.test(new Message((id != null) ? id : "", new Value(Json.read(data.toString()))));
				// Only now: a message that was not handled is read again.
				this.last = (id != null) ? id : this.last;
				if (enough) {
					return false;
				}
				data.setLength(0);
				id = null;
			}
		}
		return true;
	}

	/**
	 * A message.
	 *
	 * @param id the position after it
	 */
	record Message(String id, Value data) {
	}

}
