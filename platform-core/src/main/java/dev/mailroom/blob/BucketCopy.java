package dev.mailroom.blob;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.mailroom.Parallel;
import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;

/**
 * Copies objects from the bucket of one installation to that of another, for a program
 * that has the settings of both in its environment.
 */
public final class BucketCopy {

	private static final int MAX_CONCURRENT_COPIES = 16;

	private final Bucket from;

	private final Bucket to;

	private BucketCopy(Bucket from, Bucket to) {
		this.from = from;
		this.to = to;
	}

	/**
	 * Reads the settings of both buckets.
	 * @param first begin of the names of the variables of the installation that is read
	 * @param second the same of the one that is written
	 * @return null if the first one has no bucket
	 * @throws WrongSetting if the second one has none, or the same
	 */
	public static @Nullable BucketCopy of(Map<String, String> environment, String first, String second) {
		BlobSettings.@Nullable S3 from = settings(environment, first);
		BlobSettings.@Nullable S3 to = settings(environment, second);
		if (from == null) {
			return null;
		}
		if (to == null || (from.endpoint() + from.bucket()).equals(to.endpoint() + to.bucket())) {
			throw new WrongSetting(second + "BLOB_STORE must be s3, with another bucket than that of " + first
					+ "BLOB_STORE: cells share nothing, and each deletes its objects");
		}
		return new BucketCopy(new Bucket(from), new Bucket(to));
	}

	private static BlobSettings.@Nullable S3 settings(Map<String, String> environment, String prefix) {
		if (!environment.getOrDefault(prefix + "BLOB_STORE", "").equalsIgnoreCase("s3")) {
			return null;
		}
		String authorities = environment.getOrDefault(prefix + "S3_CA_FILE", "");
		return new BlobSettings.S3(environment.getOrDefault(prefix + "S3_ENDPOINT", ""),
				environment.getOrDefault(prefix + "S3_REGION", "us-east-1"),
				environment.getOrDefault(prefix + "S3_BUCKET", "mailroom"),
				environment.getOrDefault(prefix + "S3_ACCESS_KEY", ""),
				environment.getOrDefault(prefix + "S3_SECRET_KEY", ""),
				!environment.getOrDefault(prefix + "S3_PATH_STYLE", "true").equals("false"),
				authorities.isEmpty() ? null : Path.of(authorities));
	}

	/** Copies objects; those that were deleted meanwhile are left out. */
	public void copy(List<Blob.Name> names) {
		Parallel.map(names, MAX_CONCURRENT_COPIES, this::copy);
	}

	private boolean copy(Blob.Name name) {
		try {
			this.to.write(name.key(), this.from.read(name.key()));
			return true;
		}
		catch (BlobGone _) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The copy was interrupted", ex);
		}
	}

}
