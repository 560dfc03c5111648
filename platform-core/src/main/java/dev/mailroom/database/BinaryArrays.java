package dev.mailroom.database;

import io.netty.buffer.ByteBufAllocator;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.codec.CodecRegistry;
import io.r2dbc.postgresql.extension.CodecRegistrar;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Registers the binary encoding of array parameters. The driver finds this class by its
 * service file. Its own encoding is text, which costs escaping here and parsing in
 * PostgreSQL.
 */
public final class BinaryArrays implements CodecRegistrar {

	@Override
	public Publisher<Void> register(PostgresqlConnection connection, ByteBufAllocator allocator,
			CodecRegistry registry) {
		return Mono.fromRunnable(() -> addTo(registry, allocator));
	}

	static void addTo(CodecRegistry registry, ByteBufAllocator allocator) {
		for (BinaryArrayCodec.Element element : BinaryArrayCodec.Element.values()) {
			registry.addFirst(new BinaryArrayCodec(allocator, element));
		}
	}

}
