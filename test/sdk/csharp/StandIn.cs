// What the generated client's project takes from NuGet and Debian does not have:
// Polly, which is called only where a policy is set, and a property of
// Newtonsoft.Json that is newer than Debian's. The generated code itself is
// compiled as it is.

using System;
using System.Threading.Tasks;

namespace Polly
{
    public enum OutcomeType { Successful, Failure }

    public class PolicyResult<T>
    {
        public OutcomeType Outcome { get; set; }
        public T Result { get; set; }
        public Exception FinalException { get; set; }
    }

    public interface ISyncPolicy<T> { }

    public interface IAsyncPolicy<T>
    {
        Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action);
    }
}

namespace Newtonsoft.Json.Serialization
{
    public class NamingStrategy
    {
        public bool OverrideSpecifiedNames { get; set; }
    }

    public class CamelCaseNamingStrategy : NamingStrategy { }

    // Names in camel case, which is a class of its own in the older version.
    public class DefaultContractResolver : CamelCasePropertyNamesContractResolver
    {
        public NamingStrategy NamingStrategy { get; set; }
    }
}
