package dev.mailroom.database;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.r2dbc.postgresql.client.EncodedParameter;
import io.r2dbc.postgresql.codec.Codec;
import io.r2dbc.postgresql.codec.CodecMetadata;
import io.r2dbc.postgresql.codec.PostgresTypeIdentifier;
import io.r2dbc.postgresql.codec.PostgresqlObjectId;
import io.r2dbc.postgresql.message.Format;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Encodes one-dimensional arrays in PostgreSQL's binary format: number of dimensions,
 * flag for nulls, type of the elements, length and lower bound, then the length and the
 * bytes of each element (array_send in PostgreSQL's sources). The driver's own codecs
 * decode arrays.
 */
final class BinaryArrayCodec implements Codec<Object[]>, CodecMetadata {

	private static final int NULL = -1;

	/** The start of PostgreSQL's binary timestamps, which count microseconds. */
	private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

	/** Estimated bytes of an element. The buffer of most arrays never grows. */
	private static final int ELEMENT_BYTES = 40;

	private static final int HEADER_BYTES = 20;

	private final ByteBufAllocator allocator;

	private final Element element;

	BinaryArrayCodec(ByteBufAllocator allocator, Element element) {
		this.allocator = allocator;
		this.element = element;
	}

	@Override
	public Class<?> type() {
		return this.element.java;
	}

	@Override
	public Iterable<PostgresTypeIdentifier> getDataTypes() {
		return List.of();
	}

	@Override
	public boolean canEncode(Object value) {
		return this.element.java.isInstance(value);
	}

	@Override
	public EncodedParameter encode(Object value) {
		Object[] array = (Object[]) value;
		return new EncodedParameter(Format.FORMAT_BINARY, this.element.array.getObjectId(),
				Mono.fromSupplier(() -> write(array)));
	}

	@Override
	public EncodedParameter encode(Object value, int type) {
		return encode(value);
	}

	private ByteBuf write(@Nullable Object[] array) {
		ByteBuf bytes = this.allocator.buffer(HEADER_BYTES + array.length * ELEMENT_BYTES);
		bytes.writeInt((array.length == 0) ? 0 : 1);
		int nulls = bytes.writerIndex();
		bytes.writeInt(0).writeInt(this.element.type.getObjectId());
		if (array.length > 0) {
			bytes.writeInt(array.length).writeInt(1);
		}
		for (Object value : array) {
			if (value == null) {
				bytes.setInt(nulls, 1).writeInt(NULL);
			}
			else {
				write(value, bytes);
			}
		}
		return bytes;
	}

	private static void write(Object value, ByteBuf bytes) {
		switch (value) {
			case String text -> {
				int length = bytes.writerIndex();
				bytes.writeInt(0);
				bytes.setInt(length, ByteBufUtil.writeUtf8(bytes, text));
			}
			case UUID id ->
				bytes.writeInt(16).writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
			case Integer number -> bytes.writeInt(4).writeInt(number);
			case Long number -> bytes.writeInt(8).writeLong(number);
			case Boolean flag -> bytes.writeInt(1).writeBoolean(flag);
			case Instant time -> bytes.writeInt(8).writeLong(ChronoUnit.MICROS.between(EPOCH, time));
			default -> throw new IllegalArgumentException("There is no binary encoding for " + value.getClass());
		}
	}

	@Override
	public boolean canEncodeNull(Class<?> type) {
		return false;
	}

	@Override
	public EncodedParameter encodeNull() {
		throw new UnsupportedOperationException("The driver encodes null arrays");
	}

	@Override
	public boolean canDecode(int type, Format format, Class<?> target) {
		return false;
	}

	@Override
	public Object[] decode(@Nullable ByteBuf bytes, int type, Format format, Class<? extends Object[]> target) {
		throw new UnsupportedOperationException("The driver decodes arrays");
	}

	/** The supported types of elements. */
	enum Element {

		TEXT(String[].class, PostgresqlObjectId.TEXT, PostgresqlObjectId.TEXT_ARRAY),
		UUIDS(UUID[].class, PostgresqlObjectId.UUID, PostgresqlObjectId.UUID_ARRAY),
		INTEGER(Integer[].class, PostgresqlObjectId.INT4, PostgresqlObjectId.INT4_ARRAY),
		LONG(Long[].class, PostgresqlObjectId.INT8, PostgresqlObjectId.INT8_ARRAY),
		BOOLEAN(Boolean[].class, PostgresqlObjectId.BOOL, PostgresqlObjectId.BOOL_ARRAY),
		TIME(Instant[].class, PostgresqlObjectId.TIMESTAMPTZ, PostgresqlObjectId.TIMESTAMPTZ_ARRAY);

		private final Class<?> java;

		private final PostgresqlObjectId type;

		private final PostgresqlObjectId array;

		Element(Class<?> java, PostgresqlObjectId type, PostgresqlObjectId array) {
			this.java = java;
			this.type = type;
			this.array = array;
		}

	}

}
