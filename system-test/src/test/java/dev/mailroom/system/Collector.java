package dev.mailroom.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** Receiver of traces over OTLP/HTTP. */
class Collector implements AutoCloseable {

	private final Queue<String> received = new ConcurrentLinkedQueue<>();

	private final HttpServer server;

	Collector() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/v1/traces", this::receive);
		this.server.start();
	}

	String endpoint() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/v1/traces";
	}

	/** Whether a received trace contains a text. */
	boolean contains(String text) {
		return this.received.stream().anyMatch((message) -> message.contains(text));
	}

	/**
	 * Ids of the traces that contain a span with this name. The first fields of a span
	 * are trace_id, span_id, trace_state, parent_span_id and name (opentelemetry-proto).
	 */
	Set<String> tracesOf(String name) {
		Pattern span = Pattern.compile(
				"\\n\\x10(.{16})\\x12\\x08.{8}(?:\\x22\\x08.{8})?\\*" + (char) name.length() + Pattern.quote(name),
				Pattern.DOTALL);
		return this.received.stream()
			.flatMap((message) -> span.matcher(message).results())
			.map((match) -> HexFormat.of().formatHex(match.group(1).getBytes(StandardCharsets.ISO_8859_1)))
			.collect(Collectors.toSet());
	}

	private void receive(HttpExchange exchange) throws IOException {
		try (exchange) {
			this.received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
			exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
			exchange.sendResponseHeaders(200, -1);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
