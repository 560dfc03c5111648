package dev.mailroom.worker.smtp.server;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.tcp.TcpClient;

import org.springframework.stereotype.Component;

/** Virus check by ClamAV's daemon with its command INSTREAM. */
@Component
class ClamAv {

	private static final int CHUNK_SIZE = 64 * 1024;

	private static final int MAX_REPLY_LENGTH = 4096;

	private static final byte[] COMMAND = "zINSTREAM\0".getBytes(StandardCharsets.US_ASCII);

	private final ScannerSettings settings;

	ClamAv(ScannerSettings settings) {
		this.settings = settings;
	}

	/** Scans a mail; an error if the daemon does not reply. */
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
			.flatMap((connection) -> scan(connection, raw).doFinally((_) -> connection.dispose()));
	}

	/**
	 * The daemon may reply and close the connection before it has read the whole mail, so
	 * that a failed write is ignored.
	 */
	private static Mono<CheckResult> scan(Connection connection, byte[] raw) {
		Mono<String> reply = connection.inbound()
			.receive()
			.asString(StandardCharsets.US_ASCII)
			.scan("", String::concat)
			.filter((text) -> text.endsWith("\0") || text.length() > MAX_REPLY_LENGTH)
			.next();
		Mono<String> write = connection.outbound()
			.send(ByteBufFlux.fromInbound(chunks(raw)))
			.then()
			.onErrorComplete()
			.then(Mono.never());
		return Mono.firstWithSignal(reply, write)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("ClamAV closed the connection without a reply")))
			.map(ClamAv::result);
	}

	/** Chunks, each preceded by its length; a length of zero ends the mail. */
	private static Flux<ByteBuf> chunks(byte[] raw) {
		return Flux.range(0, (raw.length + CHUNK_SIZE - 1) / CHUNK_SIZE).map((number) -> {
			int from = number * CHUNK_SIZE;
			int length = Math.min(CHUNK_SIZE, raw.length - from);
			return Unpooled.wrappedBuffer(Unpooled.copyInt(length), Unpooled.wrappedBuffer(raw, from, length));
		}).startWith(Unpooled.wrappedBuffer(COMMAND)).concatWith(Mono.fromSupplier(() -> Unpooled.copyInt(0)));
	}

	private static CheckResult result(String reply) {
		String text = reply.replace("\0", "").strip();
		return text.endsWith(" OK") ? CheckResult.PASS
				: text.endsWith(" FOUND") ? CheckResult.FAIL : CheckResult.PROCESSING_FAILED;
	}

}
