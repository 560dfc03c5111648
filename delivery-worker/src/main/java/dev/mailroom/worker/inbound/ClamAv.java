package dev.mailroom.worker.inbound;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.tcp.TcpClient;

import org.springframework.stereotype.Component;

/** Has ClamAV's daemon, where there is one, look for viruses (its command INSTREAM). */
@Component
class ClamAv {

	private static final int CHUNK = 64 * 1024;

	/** Its answer is a line; whatever is longer is none of its. */
	private static final int LONGEST_ANSWER = 4096;

	private static final byte[] COMMAND = "zINSTREAM\0".getBytes(StandardCharsets.US_ASCII);

	private final InboundSettings settings;

	ClamAv(InboundSettings settings) {
		this.settings = settings;
	}

	/** What it says of a mail; an error where it does not answer. */
	Mono<CheckResult> check(byte[] raw) {
		String address = this.settings.clamavAddress();
		if (address.isBlank()) {
			return Mono.just(CheckResult.DISABLED);
		}
		int colon = address.lastIndexOf(':');
		return TcpClient.create()
			.host(address.substring(0, colon))
			.port(Integer.parseInt(address.substring(colon + 1)))
			.connect()
			.flatMap((connection) -> ask(connection, raw).doFinally((_) -> connection.dispose()));
	}

	/** It may answer, and hang up, before it has read all: what it said counts. */
	private static Mono<CheckResult> ask(Connection connection, byte[] raw) {
		Mono<String> answer = connection.inbound()
			.receive()
			.asString(StandardCharsets.US_ASCII)
			.scan("", String::concat)
			.filter((text) -> text.endsWith("\0") || text.length() > LONGEST_ANSWER)
			.next();
		Mono<String> unanswered = connection.outbound()
			.send(ByteBufFlux.fromInbound(chunks(raw)))
			.then()
			.onErrorComplete()
			.then(Mono.never());
		return Mono.firstWithSignal(answer, unanswered)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("ClamAV hung up")))
			.map(ClamAv::verdict);
	}

	/** Each chunk stands behind its length; a length of nothing ends them. */
	private static Flux<ByteBuf> chunks(byte[] raw) {
		return Flux.range(0, (raw.length + CHUNK - 1) / CHUNK).map((number) -> {
			int from = number * CHUNK;
			int length = Math.min(CHUNK, raw.length - from);
			return Unpooled.wrappedBuffer(Unpooled.copyInt(length), Unpooled.wrappedBuffer(raw, from, length));
		}).startWith(Unpooled.wrappedBuffer(COMMAND)).concatWith(Mono.fromSupplier(() -> Unpooled.copyInt(0)));
	}

	private static CheckResult verdict(String answer) {
		String said = answer.replace("\0", "").strip();
		return said.endsWith(" OK") ? CheckResult.PASS
				: said.endsWith(" FOUND") ? CheckResult.FAIL : CheckResult.PROCESSING_FAILED;
	}

}
